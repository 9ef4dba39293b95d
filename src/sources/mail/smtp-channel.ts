import { Readable } from 'node:stream';
import {
  type NotificationChannel,
  NotificationError,
  type OperatorNotification,
} from '../../core/console/notification.ts';
import { isMailbox } from '../../core/contact/delivery-addresses.ts';
import { cleanLines, cleanText, escapeHtml, isLoopback } from '../../core/text/parse-text.ts';

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise the connection is upgraded when the server offers it. */
  readonly isSecure: boolean;
  /** Empty for no sign-in. A connection that signs in is encrypted, unless it is to this machine. */
  readonly user: string;
  readonly password: string;
  /** Sender and recipients: addresses, or `Name <address>`; several recipients separated by commas. */
  readonly from: string;
  readonly to: string;
  /** Ms for each of connecting, the greeting and every response; those of RFC 5321 when left out. */
  readonly timeoutMs?: number;
}

/** RFC 5321, section 4.5.3.2: five minutes for the greeting, ten for the last response, which filters of content take. */
const GREETING_MS = 300_000;
const RESPONSE_MS = 600_000;
const CONNECTION_MS = 60_000;
const MAX_SUBJECT = 200;
const MAX_TEXT = 100_000;

/** Loaded with the first message: a site without a mail server never needs the library. */
async function loadLibrary() {
  const [composer, connection] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/smtp-connection'),
  ]);
  return { MailComposer: composer.default, SmtpConnection: connection.default };
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;

/**
 * Sends notifications by SMTP, each over a connection of its own. Whether the server may have taken a message is known
 * exactly: before its content is requested it has not, after its response it has or has not, in between it may have.
 */
export function createSmtpChannel(options: SmtpOptions): NotificationChannel {
  return {
    async send(notification) {
      const { MailComposer, SmtpConnection } = await loadLibrary();
      const message = await buildMessage(MailComposer, options, notification);
      const connection = new SmtpConnection(buildConnectionOptions(options));
      await new Promise<void>((resolve, reject) => {
        deliver(connection, options, message, (error) => (error === null ? resolve() : reject(error)));
      });
    },
  };
}

async function buildMessage(
  MailComposer: Library['MailComposer'],
  { from, to }: SmtpOptions,
  notification: OperatorNotification,
) {
  const { id, subject, text, html, replyTo, createdAt } = notification;
  const node = new MailComposer({
    from,
    to,
    subject: cleanText(subject, MAX_SUBJECT),
    text: cleanLines(text, MAX_TEXT),
    html: html ?? buildMailDocument(cleanText(subject, MAX_SUBJECT), cleanLines(text, MAX_TEXT)),
    ...(replyTo !== null && isMailbox(replyTo.address)
      ? { replyTo: { name: cleanText(replyTo.name, MAX_SUBJECT), address: replyTo.address } }
      : {}),
    // The same in every attempt, so that programs recognize a copy.
    messageId: `<${id.replace(/[^\w.-]/g, '-')}@${getDomain(from)}>`,
    date: new Date(createdAt),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return { content: await node.build(), envelope: node.getEnvelope() };
}

/** The domain of the sender, which makes ids unique; `from` is an address or `Name <address>`. */
const getDomain = (from: string) => /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'signpost.invalid';

function buildConnectionOptions({ host, port, isSecure, user, timeoutMs }: SmtpOptions) {
  return {
    host,
    port,
    secure: isSecure,
    requireTLS: user !== '' && !isSecure && !isLoopback(host),
    // Without a password, an upgrade that anybody could answer is still better than none, and none than no mail (RFC 7435).
    ...(user === '' && !isSecure && { opportunisticTLS: true, tls: { rejectUnauthorized: false } }),
    connectionTimeout: timeoutMs ?? CONNECTION_MS,
    greetingTimeout: timeoutMs ?? GREETING_MS,
    socketTimeout: timeoutMs ?? RESPONSE_MS,
    dnsTimeout: timeoutMs ?? CONNECTION_MS,
  };
}

function deliver(
  connection: InstanceType<Library['SmtpConnection']>,
  { user, password }: SmtpOptions,
  { content, envelope }: Awaited<ReturnType<typeof buildMessage>>,
  done: (error: NotificationError | null) => void,
): void {
  let isHandedOver = false;
  let isOver = false;
  const finish = (error: unknown) => {
    if (isOver) return;
    isOver = true;
    connection.close();
    done(error === null ? null : explainError(error, isHandedOver));
  };
  // The server requests the content after it has accepted sender and recipients.
  const body = new Readable({
    read() {
      isHandedOver = true;
      this.push(content);
      this.push(null);
    },
  });
  const send = () =>
    connection.send(envelope, body, (error) => {
      if (error) finish(error);
      else {
        isOver = true;
        connection.quit();
        done(null);
      }
    });
  connection.on('error', finish);
  connection.on('end', () => finish(new Error('the server closed the connection')));
  connection.connect(() => {
    if (user === '') send();
    else
      connection.login({ credentials: { user, pass: password } }, (error) =>
        error ? finish(error) : send(),
      );
  });
}

/** Explains a failure by its codes, and in words unless they are the server's, which may repeat an address. */
function explainError(error: unknown, isHandedOver: boolean): NotificationError {
  const { code, responseCode, command, message: words } = Object(error);
  const status = typeof responseCode === 'number' ? responseCode : null;
  const what = [code, command, status].filter((part) => typeof part === 'string' || typeof part === 'number');
  const reason = status === null && typeof words === 'string' ? `, ${cleanText(words, 200)}` : '';
  const message =
    (what.length === 0 ? 'the mail server could not be reached' : `mail server: ${what.join(' ')}`) + reason;
  if (isHandedOver && status === null) return new NotificationError('unknown', message);
  // A wrong password or a missing certificate can be corrected: the message waits for it.
  const isRefused = status !== null && status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return new NotificationError(isRefused ? 'refused' : 'not-sent', message);
}

/** A table of an email: plain texts; every column but the first is aligned to the right. */
export interface MailTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Builds the HTML of an email from plain text: its paragraphs, then a table, then an address as a link. Nothing is loaded
 * from anywhere.
 */
export function buildMailDocument(
  title: string,
  text: string,
  table: MailTable | null = null,
  link: string | null = null,
): string {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`)
    .join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font: 15px/1.5 system-ui, sans-serif; max-width: 40em">
${[paragraphs, table === null ? '' : buildTable(table), link === null ? '' : buildLink(link)].filter(Boolean).join('\n')}
</body></html>
`;
}

const buildLink = (link: string) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`;

function buildTable({ head, rows }: MailTable): string {
  const align = (column: number) => `text-align: ${column === 0 ? 'left' : 'right'}; padding: 4px 12px 4px 0`;
  const cell = (tag: string) => (text: string, column: number) =>
    `<${tag} style="${align(column)}">${escapeHtml(text)}</${tag}>`;
  const line = (cells: readonly string[], tag: string) => `<tr>${cells.map(cell(tag)).join('')}</tr>`;
  return `<table style="border-collapse: collapse">
<thead>${line(head, 'th')}</thead>
<tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody>
</table>`;
}
