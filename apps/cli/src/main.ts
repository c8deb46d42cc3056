import { styleFor } from './report/style';
import { runCli } from './run-cli';

const terminal = {
  print: (line: string) => console.log(line),
  printError: (line: string) => console.error(line),
  style: styleFor(process.stdout, process.env),
  environment: process.env,
};

// A reader that stops early (`holdfast ... | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

void runCli(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
