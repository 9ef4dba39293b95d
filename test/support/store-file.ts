import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { UploadFolder } from '../../src/stores/upload-folder.ts';
import { createFolder } from './create-folder.ts';

/** Stores a file as the server does while it arrives. */
export async function storeFile(
  folder: UploadFolder,
  name: string,
  content: string | Uint8Array,
): Promise<File> {
  const arriving = await folder.begin(name);
  await arriving.write(Buffer.from(content));
  return arriving.finish();
}

/** The path of a new file. */
export function writeSentFile(name: string, content: string | Uint8Array): string {
  const file = path.join(createFolder(), name);
  writeFileSync(file, content);
  return file;
}

export const createUploadFolder = () => new UploadFolder(createFolder());
