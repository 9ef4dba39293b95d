import { get } from 'node:http';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

/** Requests an address as a browser does that shows it in a tab. Node's `fetch` would say that it is no navigation. */
export function navigate(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly html: string }> {
  const navigation = {
    'user-agent': BROWSER,
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    ...headers,
  };
  return new Promise((resolve, reject) => {
    get(address, { headers: navigation }, (response) => {
      let html = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        html += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, html }));
    }).on('error', reject);
  });
}
