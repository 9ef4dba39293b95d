import type { Locator, Page } from '@playwright/test';
import { findViolationsInBothSchemes } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { evaluateSettled, holdFiles } from '../support/visit.ts';

const TRIAL = '/gohighlevel-free-trial';
const ROI = '/roi-calculator';

/** Scrolls to the calculator of a page and resolves when it has hydrated. */
async function openCalculator(page: Page, address: string): Promise<Locator> {
  await page.goto(address);
  const form = page.locator('form', { has: page.getByRole('spinbutton') });
  await form.scrollIntoViewIfNeeded();
  await expect(page.locator('astro-island[ssr]', { has: form })).toHaveCount(0);
  return form;
}

/** Enters a field as a person does, with nothing selected before: the page has to select its number. */
type Enter = (field: Locator) => Promise<void>;

/** Left of the number, once nothing above the field moves it any more. */
const IN_FIELD = { x: 20, y: 20 };

const click: Enter = async (field) => {
  // Another click into a field that has the focus would put the caret into its number.
  await field.blur();
  await field.click({ position: IN_FIELD });
};

const tap: Enter = async (field) => {
  await field.blur();
  await field.tap({ position: IN_FIELD });
};

const clickLabel: Enter = async (field) => {
  await field.locator('xpath=..').click({ position: { x: 5, y: 5 } });
  await expect(field).toBeFocused();
};

/** Enters the field with the Tab key, from what is before it. */
const tabTo: Enter = async (field) => {
  await field.press('Shift+Tab');
  await field.page().keyboard.press('Tab');
  await expect(field).toBeFocused();
};

async function typeOver(field: Locator, text: string, enter = click, delay = 0): Promise<void> {
  await enter(field);
  if (text === '') await field.page().keyboard.press('Backspace');
  else await field.page().keyboard.type(text, { delay });
}

/** Puts a text into the clipboard, by copying it from a field of its own. */
async function copyText(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => {
    const source = document.body.appendChild(document.createElement('textarea'));
    source.value = copied;
    source.select();
  }, text);
  await page.keyboard.press('ControlOrMeta+c');
  await page.evaluate(() => document.querySelector('textarea')?.remove());
}

test('trial: 5 tools of $150 keep $453 a month, $5,436 a year, with the sum in steps', async ({ page }) => {
  const form = await openCalculator(page, TRIAL);
  const tools = form.getByLabel('Tools you pay for');
  await expect(tools).toHaveValue('5');
  await expect(tools).toHaveAttribute('min', '1');
  await expect(tools).toHaveAttribute('max', '20');
  const cost = form.getByLabel('Average cost per tool');
  await expect(cost).toHaveValue('150');
  await expect(cost).toHaveAttribute('min', '10');
  await expect(cost).toHaveAttribute('max', '1000');
  for (const text of ['5 tools × $150', '$750', '−$297', '$453 × 12 months']) {
    await expect(form.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(form.locator('[data-savings]')).toContainText('$453 per month');
  await expect(form.locator('[data-savings]')).toContainText('$5,436 per year');
  await expect(form.getByText('Congratulations')).toBeVisible();
});

test('trial: updates with every input, and shows no saving at or below 0', async ({ page }) => {
  const form = await openCalculator(page, TRIAL);
  const cost = form.getByLabel('Average cost per tool');
  await typeOver(cost, '200');
  await expect(form.locator('[data-savings]')).toContainText('$703 per month');
  await typeOver(cost, '');
  await expect(form.locator('[data-savings]')).toHaveCount(0);
  await expect(form.getByText('Congratulations')).toHaveCount(0);
  await typeOver(cost, '59.4');
  await expect(form.getByText('switching saves you nothing')).toBeVisible();
  await typeOver(cost, '59.41');
  await expect(form.locator('[data-savings]')).toContainText('$0.05 per month');
});

test('ROI: five costs with the placeholders of the specification, against $97', async ({ page }) => {
  const form = await openCalculator(page, ROI);
  const inputs = form.getByRole('spinbutton');
  const placeholders = await inputs.evaluateAll((all) =>
    all.map((one) => (one as HTMLInputElement).placeholder),
  );
  expect(placeholders).toEqual(['99', '79', '147', '25', '150']);
  await expect(form.locator('[data-savings]').getByText('Example', { exact: true })).toBeVisible();
  await expect(form.locator('[data-savings]')).toContainText('$403 per month');
  const before = await inputs.last().boundingBox();
  await typeOver(inputs.first(), '120');
  await expect(form.locator('[data-savings]')).toContainText('$23 per month');
  await expect(form.getByText('Example', { exact: true })).toHaveCount(0);
  for (const [index, value] of ['120', '', '', '', ''].entries()) {
    await expect(inputs.nth(index), 'a field without an input counts as 0').toHaveValue(value);
    await expect(inputs.nth(index), 'and shows no amount').not.toHaveAttribute('placeholder');
  }
  expect(await inputs.last().boundingBox()).toEqual(before);
  await typeOver(inputs.first(), '');
  await expect(form.getByText('Enter what you pay each month.')).toBeVisible();
  await expect(form.locator('[data-savings]'), 'the example does not come back').toHaveCount(0);
  await expect(page).toHaveURL(/crmCost=&emailCost=&/);
  await page.reload();
  await expect(form.getByText('Enter what you pay each month.')).toBeVisible();
  await expect(form, 'the empty result').not.toContainText('\u2212');
  for (const [index, cost] of placeholders.entries()) await typeOver(inputs.nth(index), cost);
  await expect(form.getByText('$500', { exact: true })).toBeVisible();
  await expect(form.locator('[data-savings]')).toContainText('$403 per month');
  await expect(form.locator('[data-savings]')).toContainText('$4,836 per year');
  await expect(form.locator('[data-savings]')).toContainText('$392.35 per month');
  await expect(form.getByText('Congratulations')).toBeVisible();
});

test.describe('entered by a person', () => {
  test.use({ hasTouch: true });

  const ways = Object.entries({ click, tap, clickLabel, tabTo });

  for (const [way, enter] of ways) {
    for (const delay of [0, 50]) {
      test(`ROI: five bills by ${way}, with ${delay} ms between keys, save $403`, async ({ page }) => {
        const form = await openCalculator(page, ROI);
        const inputs = form.getByRole('spinbutton');
        for (const round of ['50', '']) {
          for (const [index, cost] of ['99', '79', '147', '25', '150'].entries())
            await typeOver(inputs.nth(index), cost + round, enter, delay);
        }
        await expect(form.locator('[data-savings]')).toContainText('$403 per month');
        await expect(form.locator('[data-savings]')).toContainText('$4,836 per year');
      });
    }

    test(`each number field of the site is typed over after ${way}`, async ({ page }) => {
      for (const [address, label] of [
        ['/', 'Tools you pay for'],
        ['/', 'Average cost per tool'],
        [TRIAL, 'Tools you pay for'],
        [TRIAL, 'Average cost per tool'],
        ['/feature-comparison', 'Contacts you email'],
        ['/blog/pipeline-stages-small-agency', 'Emails a month'],
      ] as const) {
        await page.goto(address);
        const field = page.getByLabel(label);
        await typeOver(field, '12', enter);
        await expect(field, `${address} ${label}`).toHaveValue('12');
        await page.keyboard.press('Tab');
        await expect(page.locator('astro-island[ssr]', { has: field })).toHaveCount(0);
        await typeOver(field, '7', enter, 50);
        await expect(field, `${address} ${label}, again`).toHaveValue('7');
      }
    });
  }

  test('a second click into a field puts the caret into its number', async ({ page }) => {
    const form = await openCalculator(page, TRIAL);
    const cost = form.getByLabel('Average cost per tool');
    const clickAgain = () => cost.click({ position: IN_FIELD });
    await click(cost);
    await clickAgain();
    await page.keyboard.type('9');
    await expect(cost).toHaveValue('9150');
    await expect(form.getByText('Do you mean $9,150?')).toBeVisible();
    await tabTo(cost);
    await clickAgain();
    await page.keyboard.type('1');
    await expect(cost).toHaveValue('19150');
  });

  test('bills that are pasted or filled in count alone', async ({ page }) => {
    const form = await openCalculator(page, ROI);
    for (const text of ['120', '45']) {
      await copyText(page, text);
      await click(form.getByLabel(text === '120' ? 'CRM' : 'Email marketing'));
      await page.keyboard.press('ControlOrMeta+v');
    }
    await expect(form.locator('[data-savings]')).toContainText('$68 per month');
    await copyText(page, '130');
    await click(form.getByLabel('CRM'));
    await page.keyboard.press('ControlOrMeta+v');
    await expect(form.locator('[data-savings]')).toContainText('$78 per month');
    await expect(page).toHaveURL(/crmCost=130&emailCost=45&/);
    await page.goto('/help');
    await page.goBack();
    await expect(form.locator('[data-savings]')).toContainText('$78 per month');
    await click(form.getByLabel('CRM'));
    await expect(page.locator('astro-island[ssr]', { has: form })).toHaveCount(0);
    await form.getByLabel('CRM').fill('');
    await form.getByLabel('Other tools').fill('72');
    await expect(form.locator('[data-savings]')).toContainText('$20 per month');
  });
});

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`ROI: the result of the example, before and with usage, is within 700 px at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(ROI);
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
    const result = page.locator('[data-savings]');
    await expect(result).toContainText('Example');
    const sizes: string[] = [];
    for (const text of ['$403', '$392.35']) {
      const figure = result.getByText(text, { exact: true });
      const box = await figure.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
      sizes.push(await figure.evaluate((element) => getComputedStyle(element).fontSize));
    }
    expect(new Set(sizes).size).toBe(1);
  });
}

test('ROI: a plan that costs more leads to $0 and a sentence, not to a negative amount', async ({ page }) => {
  const form = await openCalculator(page, ROI);
  for (const one of await form.getByRole('spinbutton').all()) await typeOver(one, '10');
  const result = form.locator('dl > div', { hasText: 'Savings per month' });
  await expect(result).toContainText('$0');
  await expect(result).not.toContainText('\u2212');
  await expect(
    form.locator('[data-result]').getByText('Your tools cost no more than the plan'),
  ).toBeVisible();
});

test('trial: the defaults are marked as an example until the first input', async ({ page }) => {
  const form = await openCalculator(page, TRIAL);
  const mark = form.locator('[data-savings]').getByText('Example', { exact: true });
  await expect(mark).toBeVisible();
  const findHeight = async () => (await form.locator('[data-savings]').boundingBox())?.height;
  const height = await findHeight();
  await typeOver(form.getByLabel('Tools you pay for'), '6');
  await expect(mark).toHaveCount(0);
  expect(await findHeight(), 'nothing moves under the pointer').toBe(height);
  await page.reload();
  await expect(form.getByLabel('Tools you pay for')).toHaveValue('6');
  await expect(mark).toHaveCount(0);
  await openCalculator(page, `${TRIAL}?tools=5&cost=150`);
  await expect(mark, 'the figures of a link').toHaveCount(0);
});

test('typing what is no number shows a message beside the field and counts as 0', async ({ page }) => {
  for (const typed of ['-5', '--', '1e']) {
    const form = await openCalculator(page, ROI);
    const crm = form.getByLabel('CRM');
    await typeOver(form.getByLabel('Other tools'), '500');
    await typeOver(crm, typed);
    const message = form.getByText('Enter 0 or more. Until then this counts as 0.');
    await expect(message, typed).toBeVisible();
    await expect(crm).toHaveAttribute('aria-invalid', 'true');
    await expect(crm).toHaveAccessibleDescription('Enter 0 or more. Until then this counts as 0.');
    await expect(form.locator('[data-savings]')).toContainText('$403 per month');
    await typeOver(crm, '99');
    await expect(message).toHaveCount(0);
    await expect(form.locator('[data-savings]')).toContainText('$502 per month');
  }
});

test('a link with what is no number shows the message as typing does, before and after scripts load', async ({
  page,
  request,
}) => {
  const query = `${ROI}?crmCost=-5&emailCost=abc&funnelCost=1.234&otherCost=500`;
  const message = 'Enter 0 or more. Until then this counts as 0.';
  const html = await (await request.get(query)).text();
  expect(html.split(`>${message}<`)).toHaveLength(4);
  const form = await openCalculator(page, query);
  await expect(form.getByText(message)).toHaveCount(3);
  await expect(form.locator('[data-savings]')).toContainText('$403 per month');
  await typeOver(form.getByLabel('Email marketing'), '79');
  await expect(form.getByText(message)).toHaveCount(2);
});

test('pasting text puts its number into the field, or nothing', async ({ page }) => {
  const form = await openCalculator(page, TRIAL);
  const cost = form.getByLabel('Average cost per tool');
  for (const [pasted, value, current] of [
    ['1,000', '1000', '$5,000'],
    ['$1,000.50', '1000.5', '$5,002.50'],
    ['５', '5', '$25'],
    ['-5', '0', ''],
    ['1e308', '1000000', '$5,000,000'],
    ['99,50', '99.5', '$497.50'],
    ['<b>5</b>', '', ''],
    ['NaN', '', ''],
  ] as const) {
    await typeOver(cost, '');
    await copyText(page, pasted);
    await click(cost);
    await page.keyboard.press('ControlOrMeta+v');
    await expect(cost, pasted).toHaveValue(value);
    if (current !== '') await expect(form.getByText(current, { exact: true })).toBeVisible();
    else await expect(form.locator('[data-savings]')).toHaveCount(0);
    await expect(form).not.toContainText(/NaN|Infinity/);
  }
});

test('the inputs are in the address, and a reload preserves them', async ({ page }) => {
  const form = await openCalculator(page, TRIAL);
  await typeOver(form.getByLabel('Tools you pay for'), '8');
  await expect(page).toHaveURL(/\?tools=8&cost=150$/);
  await page.reload();
  await expect(form.getByLabel('Tools you pay for')).toHaveValue('8');
  await expect(form.getByText('These numbers came with a link')).toHaveCount(0);
  // Left before the address has the newest figure.
  await typeOver(page.getByLabel('Tools you pay for'), '9');
  await page.reload();
  await expect(page.getByLabel('Tools you pay for')).toHaveValue('9');
});

// Playwright may wait for ever in Firefox when a page replaces its address while it loads.
test('a link shows its figures and leaves the visitor’s own alone', { tag: '@chromium' }, async ({
  page,
}) => {
  const form = await openCalculator(page, TRIAL);
  await typeOver(form.getByLabel('Tools you pay for'), '8');
  await expect(page).toHaveURL(/tools=8/);
  await openCalculator(page, `${TRIAL}?tools=3&cost=1000`);
  await expect(form.locator('[data-savings]')).toContainText('$2,703 per month');
  await expect(form.getByText('These numbers came with a link')).toBeVisible();
  await openCalculator(page, TRIAL);
  await expect(form.getByLabel('Tools you pay for')).toHaveValue('8');
  await openCalculator(page, `${TRIAL}?tools=3&cost=1000`);
  await form.getByRole('button', { name: 'Back to my numbers' }).click();
  await expect(form.getByLabel('Tools you pay for')).toHaveValue('8');
  await expect(page).toHaveURL(/tools=8&cost=150/);
});

test.describe('the link of a result', () => {
  test('is copied with the current figures', async ({ page }) => {
    // No test can grant Firefox the permission to read the clipboard.
    await page.addInitScript(() => {
      const writeText = async (text: string) => {
        document.documentElement.dataset['copied'] = text;
      };
      Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
    });
    const form = await openCalculator(page, ROI);
    await typeOver(form.getByLabel('CRM'), '120.5');
    await form.getByRole('button', { name: 'Copy a link to this result' }).click();
    await expect(form.getByText('Link copied.')).toBeVisible();
    const link = await evaluateSettled(page, () => document.documentElement.dataset['copied'] ?? '');
    expect(new URL(link).searchParams.get('crmCost')).toBe('120.5');
  });
});

test('the island loads when seen, and is at most 12 kB compressed beside React', async ({ page }) => {
  const sizes = new Map<string, number>();
  page.on('response', async (response) => {
    const name = /\/_astro\/(.*)\.js$/.exec(new URL(response.url()).pathname)?.[1];
    if (
      name === undefined ||
      /^(client|react|jsx-runtime|rolldown-runtime|document|visit-script)\b/.test(name)
    )
      return;
    sizes.set(name, (await response.request().sizes()).responseBodySize);
  });
  await page.goto(TRIAL, { waitUntil: 'networkidle' });
  expect([...sizes.keys()].filter((name) => name.startsWith('savings'))).toEqual([]);
  sizes.clear();
  await page.locator('form', { has: page.getByRole('spinbutton') }).scrollIntoViewIfNeeded();
  // An island has loaded whole when it is no longer marked as rendered by the server.
  await expect(page.locator('astro-island[ssr]', { has: page.getByRole('spinbutton') })).toHaveCount(0);
  await expect.poll(() => [...sizes.keys()].some((name) => name.startsWith('savings'))).toBe(true);
  expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(12_288);
});

test('the result is announced once typing pauses', async ({ page }) => {
  const form = await openCalculator(page, TRIAL);
  const spoken = form.locator('.sr-only[role="status"]');
  await expect(spoken).toHaveText('');
  await typeOver(form.getByLabel('Tools you pay for'), '8');
  await expect(spoken).toHaveText("You'd save, before usage: $903 per month, $10,836 per year.");
});

test('figures typed before scripts have loaded are computed', async ({ page }) => {
  const release = await holdFiles(page, '**/_astro/savings-calculator*.js');
  await page.goto(TRIAL);
  const form = page.locator('form', { has: page.getByRole('spinbutton') });
  await typeOver(form.getByLabel('Tools you pay for'), '9');
  release();
  await expect(form.locator('[data-savings]')).toContainText('$1,053 per month');
  await expect(form.getByLabel('Tools you pay for')).toHaveValue('9');
});

test('bills typed before and while scripts load are the only ones that count', async ({ page }) => {
  const release = await holdFiles(page, '**/_astro/savings-calculator*.js');
  await page.goto(ROI);
  await typeOver(page.getByLabel('Email marketing'), '80');
  await typeOver(page.getByLabel('CRM'), '1');
  release();
  await page.keyboard.type('20', { delay: 50 });
  await expect(page.locator('[data-savings]')).toContainText('$103 per month');
  await expect(page.getByLabel('CRM')).toHaveValue('120');
  await expect(page.getByLabel('Funnel builder')).toHaveValue('');
  await expect(page.getByText('Example', { exact: true })).toHaveCount(0);
});

test('what is no number gets its message when typed before scripts have loaded', async ({ page }) => {
  const release = await holdFiles(page, '**/_astro/savings-calculator*.js');
  await page.goto(ROI);
  const crm = page.getByLabel('CRM');
  await typeOver(crm, '1e');
  release();
  await expect(page.getByText('Example', { exact: true })).toHaveCount(0);
  await expect(page.getByText('Enter 0 or more. Until then this counts as 0.')).toBeVisible();
  await expect(crm).toHaveAttribute('aria-invalid', 'true');
  await typeOver(crm, '99');
  await expect(crm).not.toHaveAttribute('aria-invalid');
});

test('on a phone the saving stays in view while the fields are filled in', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  const form = await openCalculator(page, `${ROI}?crmCost=500`);
  await form.getByLabel('Funnel builder').scrollIntoViewIfNeeded();
  await expect(form.locator('[data-total]')).toBeVisible();
  await expect(form.locator('[data-total]')).toBeInViewport();
  await expect(form.locator('[data-total]')).toContainText('$403');
});

test.describe('in both color schemes', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds nothing without a saving, and with one of linked figures', async ({ page }) => {
    const form = await openCalculator(page, ROI);
    for (const one of await form.getByRole('spinbutton').all()) await typeOver(one, '10');
    expect.soft(await findViolationsInBothSchemes(page), 'no saving').toEqual([]);
    await openCalculator(page, `${ROI}?crmCost=300`);
    expect.soft(await findViolationsInBothSchemes(page), 'linked').toEqual([]);
  });
});

// Firefox's switch for tests does not change the media feature `scripting`, as its preference does.
test.describe('without scripts', { tag: '@chromium' }, () => {
  test.use({ javaScriptEnabled: false });

  test('the default result and its sum are in the page', async ({ page }) => {
    await page.goto(TRIAL);
    await expect(page.locator('[data-savings]')).toContainText('$453 per month');
    await expect(page.getByText('5 tools × $150')).toBeVisible();
  });

  test('the server responds to the form with the result', async ({ page }) => {
    await page.goto(TRIAL);
    await page.getByLabel('Tools you pay for').fill('85');
    await page.getByRole('button', { name: 'Calculate' }).click();
    await expect(page).toHaveURL(/\?tools=85&cost=150#/);
    await expect(page.locator('[data-savings]')).toContainText('$12,453 per month');
    await expect(page.getByText('Do you mean 85 tools?')).toBeVisible();
    await page.getByLabel('Average cost per tool').fill('');
    await page.getByRole('button', { name: 'Calculate' }).click();
    await expect(page.getByLabel('Average cost per tool')).toHaveValue('');
    await expect(page.locator('[data-savings]')).toHaveCount(0);
  });

  test('hostile inputs of an address are numbers or nothing', async ({ page }) => {
    await page.goto(`${ROI}?crmCost=1%2C000&emailCost=%3Cimg%20src%3Dx%3E&funnelCost=-5&otherCost=1e999`);
    const values = await page
      .getByRole('spinbutton')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    // A number field shows what is none as empty; its message says so.
    expect(values).toEqual(['1000', '', '-5', '', '1000000']);
    await expect(page.locator('[data-savings]')).toContainText('$1,000,903 per month');
  });

  test('one bill that is sent counts alone, and none as none', async ({ page }) => {
    await page.goto(ROI);
    await typeOver(page.getByLabel('CRM'), '120');
    await page.getByRole('button', { name: 'Calculate' }).click();
    await expect(page).toHaveURL(/crmCost=120&emailCost=&/);
    await expect(page.getByLabel('Email marketing')).toHaveValue('');
    await expect(page.getByLabel('Email marketing')).not.toHaveAttribute('placeholder');
    await expect(page.locator('[data-savings]')).toContainText('$23 per month');
    await expect(page.getByText('Example', { exact: true })).toHaveCount(0);
    await page.getByLabel('CRM').fill('');
    await page.getByRole('button', { name: 'Calculate' }).click();
    await expect(page.getByText('Enter what you pay each month.')).toBeVisible();
  });
});
