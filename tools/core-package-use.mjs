/**
 * What a first user does with the packed core: runs in an empty folder, once imported and once required, and must print the
 * same both times. It is copied there as text, so it uses its arguments only.
 */
export async function useCore(core, testing) {
  const names = (exported) =>
    Object.keys(exported)
      .filter((name) => !['default', 'module.exports', '__esModule'].includes(name))
      .sort();
  console.log(`exports: ${names(core).join(' ')}`);
  console.log(`exports of /testing: ${names(testing).join(' ')}`);
}
