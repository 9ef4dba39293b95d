// npm test -- pictures: takes the pictures of README and docs, of the demo and of sites that the template begins.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import sharp from 'sharp';
import { LIST, listNavigation, PICTURES, writeSubject } from '../support/pictures.ts';
import { startSite } from '../support/site.ts';

const SIZE = { width: 1280, height: 860 };
const DEMO = ['scripts/start/signpost.mjs', 'demo', '--events', '40000'];

test('takes the pictures of the documents', async ({ page }) => {
  await using demo = await startSite({ runtime: 'node', program: DEMO, env: { DEMO: '1' } });
  await page.setViewportSize(SIZE);
  for (const [name, { path: address, subject }] of Object.entries(LIST)) {
    const take = async (url: string) => {
      await page.goto(url + address, { waitUntil: 'networkidle' });
      // A font that arrives after the first paint is used from the second page on.
      await page.reload({ waitUntil: 'networkidle' });
      await page.evaluate(() => document.fonts.ready);
      const navigation = page.getByRole('navigation');
      for (const label of listNavigation(name))
        await expect(navigation.getByText(label).filter({ visible: true }).first()).toBeVisible();
      await sharp(await page.screenshot())
        .webp({ quality: 82 })
        .toFile(path.join(PICTURES, name));
    };
    if (subject === undefined) await take(demo.url);
    else {
      const folder = test.info().outputPath(name);
      mkdirSync(folder, { recursive: true });
      writeSubject(folder, subject);
      await using site = await startSite({ runtime: 'node', env: { CONTENT_DIR: folder } });
      // Its images are drawn after the start.
      await expect(page.goto(site.url).then(() => page.title())).resolves.toContain(subject.name);
      await take(site.url);
    }
  }
  const list = Object.fromEntries(Object.keys(LIST).map((name) => [name, listNavigation(name)]));
  writeFileSync(path.join(PICTURES, 'navigation.json'), `${JSON.stringify(list, null, 2)}\n`);
});
