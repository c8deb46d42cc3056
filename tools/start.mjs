// `npm start`: checks Node.js, installs and builds what is missing, then hands over to the supervisor in apps/embedded.
// Only old syntax up to the check, so that an old Node.js reads this far and says what it lacks.
import { createRequire } from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Holdfast needs Node.js 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org.`);
  process.exit(1);
}

const { prepare } = await import('./start/prepare.mjs');
const entry = await prepare(process.argv.slice(2));
// In this process: nothing stands between the terminal's signals and the supervisor.
if (entry === undefined) process.exitCode = 1;
else createRequire(import.meta.url)(entry);
