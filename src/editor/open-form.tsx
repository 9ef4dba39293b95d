import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { openPicker } from '../console/islands/command-palette.ts';
import {
  buildEmpty,
  buildField,
  type EditField,
  type FieldPath,
  findFieldAt,
  formatAt,
  listPresent,
  nameKey,
  setAt,
} from '../core/console/form-fields.ts';
import { ask, readText } from './desk/ask-site.ts';
import { chooseFiles, findFileProblem } from './desk/picture-files.ts';
import { buildFieldId, FileForm, type FormModel, type NamedChoice, type WrongField } from './form.tsx';
import { changeItems, PURPOSES, SINGLE_SECTIONS } from './form-kinds.ts';

/** What is wrong after a form was saved. */
const PROBLEMS_FOUND = 'problems-found';

interface Written {
  readonly form: HTMLFormElement;
  readonly model: FormModel;
  /** What is posted: the value as JSON. */
  readonly field: HTMLTextAreaElement;
  /** Reads a sentence out. */
  readonly announce: (text: string) => void;
}

/** Opens the form of a file in place of the one that can only be read. */
export function openForm(host: HTMLElement, written: Omit<Written, 'model'>): void {
  const read: FormModel = JSON.parse(host.dataset['form'] ?? '');
  const folds = [...host.querySelectorAll<HTMLDetailsElement>('details[open]')];
  const model = { ...read, opened: new Set(folds.map(({ dataset }) => dataset['fold'] ?? '')) };
  // What is typed before the form is there would be lost with the one that it replaces.
  flushSync(() => createRoot(host).render(<WrittenForm {...written} model={model} />));
  host.closest('fieldset')?.removeAttribute('disabled');
}

async function uploadPicture(form: HTMLFormElement, file: File): Promise<NamedChoice | string> {
  const isFont = /\.(?:woff2?|ttf|otf|ttc)$/i.test(file.name);
  const problem = isFont ? null : findFileProblem(file);
  if (problem !== null) return problem;
  const answer = await ask(form, { action: 'add-picture', file });
  const path = readText(answer, 'path');
  if (path === '') return readText(answer, 'problem') || 'The file was not taken.';
  if (isFont) return { value: `../${path}`, name: path, kind: path };
  const value = `../images/${path.replace(/[%#?]/g, encodeURIComponent)}`;
  return { value, name: path, kind: path, picture: readText(answer, 'src') };
}

/** Keys within this time of each other are one step back. */
const STEP_MS = 1_000;

function WrittenForm({ form, model, field, announce }: Written) {
  const [{ value, problems, images, focus, version }, set] = useState({
    value: model.value,
    problems: model.problems,
    images: model.named['image'] ?? [],
    focus: { at: model.at, id: model.at === '' ? '' : buildId(parseAt(model.at)) },
    /** One more when everything is drawn anew. */
    version: 0,
  });
  /** What is typed while a picture is uploaded is in it too. */
  const latest = useRef(model.value);
  const history = useRef<History>({ past: [], future: [], field: null, time: 0, start: model.value });
  const put = (next: FormModel['value'], say = '') => {
    latest.current = next;
    field.value = JSON.stringify(next);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    if (say !== '') announce(say);
  };
  /** Takes back what was done here last, or does it again. */
  const step = (isBack: boolean) => {
    const own = history.current;
    const next = (isBack ? own.past : own.future).pop();
    if (next === undefined)
      return announce(isBack ? 'There is nothing to undo.' : 'There is nothing to redo.');
    (isBack ? own.future : own.past).push(latest.current);
    own.time = 0;
    const isSame = JSON.stringify(listShape(next)) === JSON.stringify(listShape(latest.current));
    set((state) => ({ ...state, value: next, version: state.version + (isSame ? 0 : 1) }));
    return put(next, isBack ? 'Undone.' : 'Done again.');
  };
  useEffect(() => {
    const listen = (event: Event) => {
      const found: readonly WrongField[] = event instanceof CustomEvent ? event.detail : [];
      set((state) => ({ ...state, problems: found }));
    };
    form.addEventListener(PROBLEMS_FOUND, listen);
    return () => form.removeEventListener(PROBLEMS_FOUND, listen);
  }, [form]);
  useEffect(() => {
    const found = document.getElementById(focus.id || buildId(parseAt(focus.at)));
    if (focus.id === '') found?.scrollIntoView({ block: 'nearest' });
    else {
      for (let box = found?.closest('details'); box; box = box.parentElement?.closest('details'))
        box.open = true;
      found?.focus();
    }
  }, [focus]);
  const acts = {
    change(edit: (now: FormModel['value']) => FormModel['value'], path?: FieldPath, say = '') {
      const before = latest.current;
      const next = edit(before);
      const focused = path && { at: formatAt(path), id: buildId(path) };
      set((state) => ({ ...state, value: next, focus: focused ?? state.focus }));
      if (next === before) return;
      const own = history.current;
      const isSameStep =
        path === undefined && own.field === document.activeElement && Date.now() - own.time < STEP_MS;
      if (!isSameStep) own.past.push(before);
      Object.assign(own, { future: [], field: document.activeElement, time: Date.now() });
      put(next, say);
    },
    addSection: (at: number) => addSection(at, (index) => acts.change((now) => now, ['sections', index])),
    announce,
    choose: openPicker,
    async upload(file: File) {
      const added = await uploadPicture(form, file);
      if (typeof added !== 'string' && added.picture !== undefined)
        set((state) => ({ ...state, images: [added, ...state.images] }));
      return added;
    },
    pickFile: (take: (file: File) => void, accepted?: string) =>
      chooseFiles(([file]) => file !== undefined && take(file), accepted),
    crop(picture: string, point: string, take: (picture: NamedChoice, point: string) => void) {
      const [folder = '', path = ''] = picture.split(/(?<=images\/)/);
      const done = (name: string, src: string, chosen = '') => {
        const added = { value: folder + name, name, kind: name, picture: src };
        const add = (known: readonly NamedChoice[]) =>
          known.some((one) => one.value === added.value) ? known : [added, ...known];
        set((state) => ({ ...state, images: add(state.images) }));
        take(added, chosen);
      };
      void import('./desk/crop.ts').then(({ openCrop }) => openCrop(form, path, done, point));
    },
  };
  /** A step of its own, after which everything is drawn anew. */
  const changeWhole = (edit: (now: FormModel['value']) => FormModel['value'], say: string) => {
    history.current.time = 0;
    acts.change(edit, undefined, say);
    history.current.time = 0;
    set((state) => ({ ...state, version: state.version + 1 }));
  };
  /** Adds a section by what it is for. */
  const addSection = (at: number, show: (index: number) => void) => {
    const present = Object(latest.current['sections']) as readonly unknown[];
    const types = new Set([...present].map((one) => Reflect.get(Object(one), 'type')));
    const offered = PURPOSES.filter(([type]) => !(SINGLE_SECTIONS.includes(type) && types.has(type)));
    const items = offered.map(([type, name, purpose]) => ({
      name,
      kind: `${purpose} · ${nameKey(type)}`,
      value: type,
    }));
    openPicker('Add a section: what is it for?', items, (type) => {
      const all = model.schema.properties?.['sections']?.items?.anyOf ?? [];
      const chosen = all.find((one) => one.properties?.['type']?.const === type);
      const insert = (now: FormModel['value']) =>
        Object(
          setAt(now, ['sections'], [...Object(now['sections'])].toSpliced(at, 0, buildEmpty(chosen ?? {}))),
        );
      changeWhole(insert, 'Added.');
      show(at);
    });
  };
  /** What was done in the page that is shown. */
  const actOnPage = useRef((_: Readonly<Record<string, unknown>>) => undefined as unknown);
  actOnPage.current = ({ act, section: asked, at, value: words, text, isFirst, show, found }) => {
    const section = typeof asked === 'number' ? asked : -1;
    const choose = (index: number | undefined) => {
      if (index !== undefined)
        set((state) => ({ ...state, focus: { at: formatAt(['sections', index]), id: '' } }));
      if (typeof show === 'function') show(index);
    };
    if (act === 'undo' || act === 'redo') {
      step(act === 'undo');
      return choose(undefined);
    }
    if (act === 'choose') return choose(section);
    if (act === 'show') return acts.change((now) => now, parseAt(String(at)));
    if (act === 'list')
      return Array.isArray(found) && found.push(...listFields(buildField(model.schema, latest.current, [])));
    if (act === 'add') return addSection(Number(at), choose);
    if (act === 'write') {
      const own = history.current;
      if (isFirst === true) own.start = latest.current;
      const path = parseAt(String(at));
      const before = path.reduce<unknown>((found, key) => Reflect.get(Object(found), key), own.start);
      const whole =
        typeof before === 'string' && words !== '' ? before.replace(String(words), () => String(text)) : text;
      if (isFirst === true) own.time = 0;
      acts.change(() => Object(setAt(own.start, path, whole === '' ? undefined : whole)));
      return undefined;
    }
    const items = [...Object(latest.current['sections'])];
    const shown = buildField(model.schema, latest.current, []);
    const { label } = findFieldAt(shown, formatAt(['sections', section]));
    const changed = changeItems(items, String(act), section, { label, to: Number(at) });
    if (changed.items === items) announce(changed.said);
    else changeWhole((now) => Object(setAt(now, ['sections'], changed.items)), changed.said);
    return choose(section < 0 ? undefined : changed.index);
  };
  useEffect(() => {
    const listen = (event: Event) => event instanceof CustomEvent && actOnPage.current(event.detail);
    form.addEventListener('page-act', listen);
    return () => form.removeEventListener('page-act', listen);
  }, [form]);
  const named = useMemo(() => ({ ...model.named, image: images }), [model, images]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its fields have one history
    <div
      onKeyDown={(event) => {
        const key = event.key.toLowerCase();
        if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
        event.preventDefault();
        step(key === 'z' && !event.shiftKey);
      }}
    >
      <FileForm key={version} model={{ ...model, value, problems, named, at: focus.at }} acts={acts} />
    </div>
  );
}

/** The fields of a form by their names, with those of what they are in. */
const listFields = (form: EditField) =>
  listPresent(form).map(({ path, label }) => {
    const around =
      path.length < 2 ? form : findFieldAt(form, formatAt(path.slice(0, path[0] === 'sections' ? 2 : 1)));
    const name = around === form ? label : `${label}, ${around.label}`;
    return { name, kind: 'Field', value: `at:${formatAt(path)}` };
  });

interface History {
  /** What was there before each change, and what was taken back. */
  readonly past: FormModel['value'][];
  readonly future: FormModel['value'][];
  /** Where something was written last, and when: ms since 1970. */
  readonly field: Element | null;
  time: number;
  /** What was there before a text of the page that is shown is written. */
  start: FormModel['value'];
}

/** How many items each list has: what is drawn anew when it is another. */
const listShape = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(listShape)
    : typeof value === 'object'
      ? Object.values(value ?? {}).map(listShape)
      : 0;

const buildId = (path: FieldPath) => buildFieldId(JSON.stringify(path));
const parseAt = (at: string): FieldPath =>
  at.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
