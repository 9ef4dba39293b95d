import idle from 'astro/runtime/client/idle.js';
import visible from 'astro/runtime/client/visible.js';
import interaction from './client-interaction.ts';

Object.assign(globalThis, { Astro: { idle, interaction, visible } });
