import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { NotificationError } from '../../core/console/notification.ts';
import type { HttpPost } from './http-post.ts';

/** `HttpPost` for Node. It uses `node:http`, which tells whether a connection was made. */
export const nodePost: HttpPost = (address, { headers, body, timeoutMs }) =>
  new Promise((resolve, reject) => {
    const create = address.protocol === 'https:' ? requestHttps : requestHttp;
    let isSent = false;
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new NotificationError(isSent ? 'unknown' : 'not-sent', `webhook: ${reason}`));
      request.destroy();
    };
    const sent = { ...headers, 'content-length': String(body.length) };
    const request = create(address, { method: 'POST', headers: sent, agent: false }, (response) => {
      response.resume();
      clearTimeout(timer);
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    const timer = setTimeout(() => fail('no response in time'), timeoutMs);
    request.on('socket', (socket) => {
      const markSent = () => {
        isSent = true;
      };
      socket.once(address.protocol === 'https:' ? 'secureConnect' : 'connect', markSent);
    });
    request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'the connection failed'));
    request.end(body);
  });
