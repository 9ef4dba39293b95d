// node test/bench/go-client.ts PORT SECONDS: follows links to a partner on a running site, prints one line of JSON.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;
const [port = 0, seconds = 5] = process.argv.slice(2).map(Number);

const times: number[] = [];
let failed = 0;
let isMeasured = false;
let isStopping = false;

/** A link as a browser decorates it, with a click of its own, by a person's browser. */
const buildRequest = () =>
  `GET /go/highlevel?page=trial&source=hero&click=${randomUUID()}&session=${randomUUID()}&from=%2Fblog%2Fcrm-basics` +
  '&utm_source=newsletter&utm_medium=email&gclid=abc&session_time=35&entry_page=%2Fblog' +
  '&journey_pages=%2Fblog+%2Fblog%2Fcrm-basics HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36\r\n\r\n';

function openLane(): void {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  let received = '';
  let sentAt = 0;
  const next = () => {
    if (isStopping) return socket.end();
    sentAt = performance.now();
    return socket.write(buildRequest());
  };
  socket.on('connect', next);
  socket.on('error', () => {
    failed += 1;
  });
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    if (!received.endsWith('</html>\n')) return;
    if (isMeasured && received.startsWith('HTTP/1.1 200')) times.push(performance.now() - sentAt);
    else if (isMeasured) failed += 1;
    received = '';
    next();
  });
}

for (let lane = 0; lane < CONNECTIONS; lane += 1) openLane();
await sleep(WARM_UP_MS);
isMeasured = true;
const began = performance.now();
await sleep(seconds * 1_000);
isMeasured = false;
const ms = performance.now() - began;
isStopping = true;

times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
process.stdout.write(
  `${JSON.stringify({
    perSecond: Math.round((times.length * 1_000) / ms),
    answered: times.length,
    p50: at(0.5),
    p99: at(0.99),
    max: times.at(-1) ?? 0,
    failed,
  })}\n`,
);
