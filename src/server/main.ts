// The program of the built site. What it serves with is imported only once the space for that has been settled.
import './young-space.ts';

await import('./serve.ts');
