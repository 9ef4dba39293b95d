import path from 'node:path';
import { checkContent } from '../../scripts/build/check-content.ts';
import { checkCopy } from '../content-files/check-copy.ts';
import { checkRules } from '../content-files/check-rules.ts';
import { readContent } from '../content-files/read-content.ts';
import type { LaunchFinding } from '../core/pages/launch-report.ts';
import { nameContentFiles } from '../core/paths.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { readLaunchFaults } from '../server/pages/launch.ts';
import { SettingsError } from '../server/settings.ts';
import { defineCommand, FLAG } from './command.ts';
import { readSettingFaults } from './read-setting-faults.ts';
import type { DataFolderSite } from './site.ts';

const RUN = nameCommand('launch-check');

const USAGE = `Usage:
  ${RUN}
  ${RUN} --strict    warnings end with code 1 as well

Lists what is missing before visitors come, each with the file to edit. Ends with code 1 when there is an error.`;

/** `signpost launch-check`: lists what is missing before visitors come, each with the file to edit. */
export const command = defineCommand({
  usage: USAGE,
  options: { strict: FLAG },
  words: [0, 0],
  namesFiles: true,
  async run({ values: { strict } }, io, site: DataFolderSite) {
    const settingFaults = readSettingFaults();
    const config = readAllSettings(site, settingFaults);
    const root = path.resolve(config.CONTENT_DIR);
    const problem = await checkContent(root, config.ARTICLE_SOURCE === 'files');
    if (problem !== null) io.stdout.write(`error    ${problem}\n`);
    // Only valid content can be judged.
    const content = problem === null ? readContent(root) : null;
    const at = { siteUrl: config.SITE_URL, now: Date.now() };
    const judged = content === null ? [] : checkRules(root, content, at);
    const warned = judged.filter(({ isError }) => !isError).length;
    const findings: readonly LaunchFinding[] = [
      ...settingFaults,
      ...(content === null ? [] : await readLaunchFaults(content, config, site.openLinkStore(), at.now)),
      // Visitors would read them: errors here as in `signpost content`. The operator is in the list above.
      ...[
        ...checkCopy(root, 'placeholders'),
        ...judged.filter(({ isError, finding }) => isError && finding.rule !== 'operator'),
      ].map(({ file, text }) => ({ level: 'error' as const, file, text })),
      ...(warned === 0
        ? []
        : [
            {
              level: 'warning' as const,
              file: 'content/',
              text: `rules on what pages may say, warnings: ${warned} (${nameCommand('content --rules')} lists them)`,
            },
          ]),
    ];
    const name = (file: string) => nameContentFiles(file, config.CONTENT_DIR);
    const width = Math.max(0, ...findings.map(({ file }) => name(file).length));
    for (const { level, file: shown, text, details = [] } of findings) {
      const file = name(shown);
      const lines = [
        `${level.padEnd(8)} ${file.padEnd(width)}  ${text}`,
        ...details.map((line) => `           ${line}`),
      ];
      io.stdout.write(`${lines.join('\n')}\n`);
    }
    const warnings = findings.filter(({ level }) => level === 'warning').length;
    const errors = findings.length - warnings + (problem === null ? 0 : 1);
    io.stdout.write(
      errors + warnings === 0
        ? 'Ready to launch.\n'
        : `\n${errors} errors, ${warnings} warnings. docs/recipes/ explains the files, docs/deployment.md the settings.\n`,
    );
    return errors > 0 || (strict && warnings > 0) ? 1 : 0;
  },
});

/** Throws `SettingsError` with `faults`, which may be the reason. */
function readAllSettings(site: DataFolderSite, faults: ReturnType<typeof readSettingFaults>) {
  try {
    return site.readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new Error([error.message, ...faults.map(({ file, text }) => `  ${file}: ${text}`)].join('\n'));
  }
}
