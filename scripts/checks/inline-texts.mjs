/**
 * Checks that texts for people are in the message catalogues. No text may stand between tags, or in an attribute that is
 * shown or read aloud. A search by line is enough, because the formatter puts each tag and each text on its own line.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TEXT_ATTRIBUTES =
  /\b(?:label|title|placeholder|alt|aria-label|aria-description|helperText)=(?:"([^"]*)"|\{[`'"]([^`'"]*)[`'"]\})/g;
const TEXT_BETWEEN_TAGS = /(?:^|>)\s*([^<>{}=;()]*\p{L}{2,}[^<>{}=;()]*)\s*<\//gu;
const WORDS = /\p{L}{2,}/u;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'web/src/**/*.tsx', 'web/src/*.tsx'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && !/\.test\.tsx$/.test(file));

let textCount = 0;
for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) continue;
    const texts = [...line.matchAll(TEXT_ATTRIBUTES)].map((match) => match[1] ?? match[2]);
    texts.push(...[...line.matchAll(TEXT_BETWEEN_TAGS)].map((match) => match[1]));
    for (const text of texts.filter((candidate) => candidate && WORDS.test(candidate.replace(/\$\{[^}]*\}/g, '')))) {
      textCount += 1;
      console.log(`${file}:${index + 1}: ${text.trim()}`);
    }
  }
}
process.exit(textCount === 0 ? 0 : 1);
