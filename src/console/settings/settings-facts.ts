import type { Config } from '../../server/settings.ts';
import type { SettingsModel } from './settings-model.ts';

/** Lists the settings of the environment that the console shows. */
export function listSettingsFacts(config: Config): SettingsModel['facts'] {
  const listOr = (values: readonly string[], fallback: string) => values.join(', ') || fallback;
  return [
    { name: 'Days begin and end in', value: config.TIME_ZONE, setting: 'TIME_ZONE' },
    { name: 'Public address', value: config.SITE_URL || 'none', setting: 'SITE_URL' },
    { name: 'Console only at', value: config.CONSOLE_HOST || 'every host', setting: 'CONSOLE_HOST' },
    {
      name: 'Console only for',
      value: listOr(config.CONSOLE_ADDRESSES, 'every address'),
      setting: 'CONSOLE_ADDRESSES',
    },
    {
      name: 'Single visits are deleted after',
      value: `${config.RETENTION_MONTHS} months`,
      setting: 'RETENTION_MONTHS',
    },
    {
      name: 'Networks are read every',
      value: config.COMMISSION_SYNC_HOURS === 0 ? 'never' : `${config.COMMISSION_SYNC_HOURS} hours`,
      setting: 'COMMISSION_SYNC_HOURS',
    },
  ];
}
