import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What a request was for, as the metrics tell requests apart (few values, never a path a visitor chose). */
export type RequestKind = 'page' | 'file' | 'api' | 'go';

/** The process's figures in Prometheus' form. */
export interface Metrics {
  request(kind: RequestKind, status: number, seconds: number): void;
  /** Figures that are read when somebody asks, by name; unknown ones are left out. */
  addGauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Text exposition format 0.0.4. */
  render(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'signpost_request_seconds',
    help: 'Time from the request to its last byte, by kind and status class',
    labelNames: ['kind', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  return {
    request: (kind, status, seconds) =>
      requests.labels(kind, `${Math.floor(status / 100)}xx`).observe(seconds),
    addGauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    },
    render: () => registry.metrics(),
  };
}

/** Serves `/metrics` on a port of its own, on loopback only: the figures are the operator's. */
export function startMetricsServer(metrics: Metrics, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.render().then(
      (body) =>
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
