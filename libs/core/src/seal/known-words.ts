const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Units that may follow a number, directly or after one space. */
export const UNITS = words(
  'ms s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days week weeks month months year years ' +
    'B KB kB MB GB TB KiB MiB GiB TiB TB PB Ki Mi Gi Ti kb mb gb tb bytes byte bits k K M Mbps Gbps Hz kHz MHz GHz px em rem pt vh vw ' +
    'm cm mm km kg g mg lb lbs oz mi ft in C F x tokens token lines line percent USD EUR GBP CHF JPY CNY INR SEK NOK DKK PLN KRW AUD CAD dollars euros cents ' +
    'bar mbar Pa hPa kPa psi mph kW MW kWh MWh V W mV mA',
);

/** Ordinals and short suffixes that stand directly at a number. */
export const NUMBER_SUFFIXES = words('st nd rd th k K M B bn mn ns us fps');

/** Extensions that make a dotted word a file name. */
export const FILE_EXTENSIONS = words(
  'py pyi ipynb ts tsx mts cts js jsx mjs cjs json jsonl json5 md mdx rst txt csv tsv c cc cpp cxx h hh hpp go rs java kt kts ' +
    'scala rb php pl lua r jl sh bash zsh fish ps1 bat cmd yml yaml toml ini cfg conf env lock log db sqlite sql html htm css scss ' +
    'sass less svg png jpg jpeg gif webp ico pdf doc docx xls xlsx ppt pptx zip tar gz tgz bz2 xz 7z jar war exe dll so dylib a o ' +
    'wasm proto graphql prisma tf hcl vue svelte astro swift m mm cs fs vb pony ex exs erl hs ml clj dart gradle xml xsd plist map ' +
    'snap patch diff bak tmp pem key crt cer parquet avro npy npz pt onnx pkl mp3 mp4 wav mov traj pyc properties',
);

/** Endings that make a dotted word a host name. */
export const HOST_ENDINGS = words('com org net io dev ai app gov edu co uk de fr eu us ch info cloud local internal');

/** First segments that make `a/b` a path and not a choice between two words. */
export const PATH_ROOTS = words(
  'src lib libs app apps test tests spec packages node_modules bin docs doc etc usr var tmp home dist build public scripts tools ' +
    'config origin upstream feature fix release refs heads pkg internal cmd include static assets components routes api',
);

/** Upper-case words that are words and no codes. */
export const UPPER_CASE_WORDS = words(
  'THE AND FOR NOT YOU ALL ANY ARE BUT CAN HAS HAD ITS LET MAY NEW NOW OFF OLD ONE OUR OUT OWN SEE SET SHE TWO USE WAS WHO WHY YES ' +
    'API CLI CPU CSS CSV DNS DOM FAQ GPU GUI HTML HTTP HTTPS IDE JSON JSX JWT LLM MCP NPM NULL ORM PDF RAM REST RPC SDK SQL SSE SSH SSL ' +
    'SVG TCP TLS TODO FIXME NOTE TSX TTL TUI UDP URI URL USA UTC UTF UUID XML YAML YML CRUD CORS CRON ASCII UTF8 AJAX ACID ANSI AWS GCP ' +
    'EST EDT PST PDT CST CET GMT ISO ETA FYI ASAP TBD WIP CEO DOB PIN OTP PNR VIP ATM ID OK AM PM CI PR UI UX DB OS IP IO AI ML QA ' +
    'GET PUT POST HEAD PATCH DELETE TRUE FALSE NONE SELECT INSERT UPDATE CREATE TABLE WHERE FROM JOIN INTO VALUES INDEX ALTER DROP ' +
    'GROUP ORDER LIMIT COUNT UNION INNER OUTER LEFT RIGHT HAVING DISTINCT PRIMARY FOREIGN KEY STATUS ERROR ERRORS WARN WARNING INFO DEBUG ' +
    'FATAL FAIL FAILED PASS PASSED SKIP DONE README LICENSE CHANGELOG STOP START BEGIN END IMPORT EXPORT ALWAYS NEVER SHOULD MUST CANNOT ' +
    'STRING NUMBER RESULT OUTPUT INPUT BEFORE AFTER CURRENT FINAL STEP PLAN ONLY ALSO THIS THAT WITH WHEN THEN HAVE WILL DOES BOTH SAME ' +
    'VERY MORE LESS MOST EACH EVERY WITHOUT PLEASE IMPORTANT CRITICAL SUCCESS PROBLEM ISSUE CAUSE FOUND FIXED ISSUES SUMMARY DETAILS MAIN',
);

/** Names with inner capitals that everybody writes one way or another. */
export const COMMON_MIXED_CASE_NAMES = words(
  'JavaScript TypeScript GitHub GitLab PostgreSQL MySQL OpenAI LinkedIn YouTube PayPal iPhone iPad macOS iOS McDonald LaTeX WebSocket ' +
    'OAuth GraphQL DevTools PowerShell JetBrains BitBucket DynamoDB MongoDB FastAPI NumPy',
);
