import type { LedgerEntry } from '../../../src/core/commissions/build-ledger.ts';
import { buildCredit, CREDIT_MODELS } from '../../../src/core/commissions/credit.ts';
import { formatDecimalAmount } from '../../../src/core/commissions/money.ts';

/** Builds the chain from a commission to the click, page, campaign and answers behind it, with credit by model. */
export function buildExplanation({ commission, journey, facts, reason, isCounted }: LedgerEntry) {
  const { partner, nativeId, status, amount, currency } = commission;
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    commission: {
      partner,
      id: nativeId,
      status,
      amount,
      currency,
      account: commission.account,
      kind: commission.kind,
      reversedAmount: commission.reversedAmount,
      time: time(commission.eventTime),
      changed: time(commission.changeTime),
      isCounted,
      isDismissed: commission.isDismissed,
    },
    click:
      journey === null
        ? null
        : {
            id: journey.clickId,
            page: journey.page,
            source: journey.placement,
            destination: journey.destination,
            time: time(journey.clickTime),
          },
    reason,
    campaign: journey?.touches.at(-1)?.campaign ?? {},
    touches: (journey?.touches ?? []).map((touch) => ({ campaign: touch.campaign, time: time(touch.time) })),
    pages: journey?.pages ?? [],
    entryPage: journey?.entryPage ?? '',
    answers: journey?.answers ?? {},
    credit: Object.fromEntries(
      CREDIT_MODELS.map((model) => [model, journey === null ? [] : buildCredit(amount, journey, model)]),
    ),
    facts: facts.map((fact) => ({
      source: fact.source,
      status: fact.status,
      amount: fact.amount,
      currency: fact.currency,
      changed: time(fact.changeTime),
      arrived: time(fact.arrivedAt),
      message: fact.rawId,
      import: fact.importId,
      isConflict: commission.conflicts.some(({ sequence }) => sequence === fact.sequence),
    })),
  };
}

/** Formats an explanation for a terminal. */
export function formatExplanation(explanation: ReturnType<typeof buildExplanation>): string {
  const { commission, click, campaign, answers, credit, facts, reason } = explanation;
  const money = (amount: number) =>
    `${formatDecimalAmount(amount, commission.currency)} ${commission.currency}`;
  const list = (values: Readonly<Record<string, string>>) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ') || '(none)';
  const lines = [
    `commission  ${commission.partner} ${commission.id}: ${commission.status}, ${money(commission.amount)}`,
    ...facts.map(({ arrived, source, status, amount, isConflict }) => {
      const conflict = isConflict ? ' (contradicts a newer report, not applied)' : '';
      return `  report    ${arrived} by ${source}: ${status}, ${money(amount)}${conflict}`;
    }),
    click === null
      ? `click       unknown (${reason})`
      : `click       ${click.id} at ${click.time}, to ${click.destination || '(unknown)'}`,
    ...(click === null
      ? []
      : [
          `page        ${click.page}, placement ${click.source || '(none)'}`,
          `campaign    ${list(campaign)}`,
          `pages       ${explanation.pages.join(' → ')}`,
          `answers     ${list(answers)}`,
          'credit',
          ...CREDIT_MODELS.map((model) => {
            const shares = (credit[model] ?? []).map(({ touch, amount }) => `${touch}: ${money(amount)}`);
            return `  ${model.padEnd(12)}${shares.join('; ')}`;
          }),
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
