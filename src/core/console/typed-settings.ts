/** Settings that operators type into the console, which are in the data folder; the environment wins over them. */
export const TYPED_SETTINGS = [
  'SITE_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_TO',
  'ALERT_WEBHOOK_URL',
  'CONTACT_WEBHOOK_URL',
  'WEBHOOK_KEY',
  'NEWSLETTER_PROVIDER',
  'NEWSLETTER_KEY',
  'RETENTION_MONTHS',
  'TIME_ZONE',
] as const;
export type TypedSetting = (typeof TYPED_SETTINGS)[number];

/** Mail servers by what their operators call them. */
export const MAIL_SERVERS = [
  { key: 'other', name: 'Another server', url: '' },
  { key: 'fastmail', name: 'Fastmail', url: 'smtps://smtp.fastmail.com' },
  { key: 'google', name: 'Google', url: 'smtps://smtp.gmail.com' },
  { key: 'mailgun', name: 'Mailgun', url: 'smtps://smtp.mailgun.org' },
  { key: 'microsoft', name: 'Microsoft 365', url: 'smtp://smtp.office365.com' },
  { key: 'postmark', name: 'Postmark', url: 'smtp://smtp.postmarkapp.com' },
] as const;

/** What is typed in as it is. */
export const OTHER_SETTINGS = [
  { name: 'ALERT_WEBHOOK_URL', label: 'Webhook for alerts, such as that of Slack', isSecret: false },
  { name: 'CONTACT_WEBHOOK_URL', label: 'Webhook for contact messages', isSecret: false },
  { name: 'WEBHOOK_KEY', label: 'Key that signs webhooks', isSecret: true },
  {
    name: 'NEWSLETTER_PROVIDER',
    label: 'Newsletter: off, buttondown, kit or webhook:ADDRESS',
    isSecret: false,
  },
  { name: 'NEWSLETTER_KEY', label: 'Key of the newsletter service', isSecret: true },
  { name: 'RETENTION_MONTHS', label: 'Months after which single visits are deleted', isSecret: false },
  { name: 'TIME_ZONE', label: 'Time zone, such as Europe/Berlin', isSecret: false },
] as const satisfies readonly { name: TypedSetting; label: string; isSecret: boolean }[];
