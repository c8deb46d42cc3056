export const CORE_TESTING_VERSION = '0.1.0';
