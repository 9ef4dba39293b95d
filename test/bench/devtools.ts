import { z } from 'zod';

/** A page of a tab: the one that is shown, or one that is loaded ahead. */
export interface DrivenPage {
  send(method: string, params?: object): Promise<unknown>;
  /** Evaluates an expression; its value has to be JSON. Undefined when the page goes away meanwhile. */
  evaluate(expression: string): Promise<unknown>;
}

/** The first tab of a browser. */
export interface DrivenTab {
  /** Oldest first. */
  pages(): readonly DrivenPage[];
  close(): void;
}

const messageSchema = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
});
const attachedSchema = z.object({ sessionId: z.string(), targetInfo: z.object({ type: z.string() }) });
const targetsSchema = z.object({ targetInfos: z.array(z.object({ targetId: z.string() })) });
const valueSchema = z.object({ result: z.object({ value: z.unknown().optional() }) });

/** Attaches to the tab, not to its page: a browser whose page is debugged loads nothing ahead. */
export async function attachToTab(port: number): Promise<DrivenTab> {
  const version = await fetch(`http://127.0.0.1:${port}/json/version`);
  const { webSocketDebuggerUrl } = z.object({ webSocketDebuggerUrl: z.string() }).parse(await version.json());
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const waiting = new Map<number, (result: unknown) => void>();
  const pages: DrivenPage[] = [];
  let count = 0;
  const sendTo = (sessionId: string | undefined, method: string, params: object = {}) => {
    count += 1;
    socket.send(JSON.stringify({ id: count, method, params, sessionId }));
    return new Promise<unknown>((resolve) => waiting.set(count, resolve));
  };
  socket.addEventListener('message', ({ data }) => {
    const { id, result, method, params } = messageSchema.parse(JSON.parse(String(data)));
    if (id !== undefined) waiting.get(id)?.(result);
    if (method !== 'Target.attachedToTarget') return;
    const { sessionId, targetInfo } = attachedSchema.parse(params);
    if (targetInfo.type !== 'page') return;
    pages.push({
      send: (name, given) => sendTo(sessionId, name, given),
      async evaluate(expression) {
        const given = { expression, awaitPromise: true, returnByValue: true };
        return valueSchema.safeParse(await sendTo(sessionId, 'Runtime.evaluate', given)).data?.result.value;
      },
    });
  });
  const found = await sendTo(undefined, 'Target.getTargets', { filter: [{ type: 'tab' }] });
  const [tab] = targetsSchema.parse(found).targetInfos;
  const attached = await sendTo(undefined, 'Target.attachToTarget', {
    targetId: tab?.targetId,
    flatten: true,
  });
  const { sessionId } = z.object({ sessionId: z.string() }).parse(attached);
  await sendTo(sessionId, 'Target.setAutoAttach', {
    autoAttach: true,
    flatten: true,
    waitForDebuggerOnStart: false,
  });
  return { pages: () => pages, close: () => socket.close() };
}
