import { parseJson } from '../json';
import { proveCommandReads } from './exec-reader';

const proven = (command: string): boolean => proveCommandReads(parseJson(JSON.stringify({ command }))) !== undefined;

it.each([
  'ls -la src',
  'cat a.txt | grep -n "x|y" | head -20',
  'git status --porcelain && git log --oneline -1',
  'cd /repo && rg "foo(bar)" src 2>/dev/null',
  "sed -n '10,20p' src/a.ts",
  'find . -name "*.ts" 2>&1 | wc -l',
  'git branch --show-current',
  'grep "a\\(b" x',
  'echo "$HOME"',
])('reads: %s', (command) => {
  expect(proven(command)).toBe(true);
});

it.each([
  'rm -rf build',
  'ls; rm x',
  'ls & rm x',
  'cat a > b',
  'echo $(rm x)',
  'echo "$(rm x)"',
  'echo "`rm x`"',
  'echo "a\\"; rm x; echo \\"b"',
  'cat <<EOF\nx\nEOF',
  'ls\nrm x',
  'find . -delete',
  'find . -exec rm {} +',
  'sed -i s/a/b/ f',
  "sed -n 'w out' f",
  "sed -n '1p' -i f",
  'sort -o a a',
  'git push',
  'git stash',
  'git branch new',
  'git tag v1',
  'git diff --output=x',
  'git -c alias.status=!rm status',
  'xargs rm',
  'ls | xargs rm',
  'FOO=1 npm run build',
  'rg --pre cmd x',
  'tail -f log',
  'echo "unbalanced',
  'env rm x',
  '',
])('may write: %s', (command) => {
  expect(proven(command)).toBe(false);
});

it('looks at nothing but a command line', () => {
  expect(proveCommandReads(parseJson('{"script":"ls"}'))).toBeUndefined();
  expect(proveCommandReads(undefined)).toBeUndefined();
});
