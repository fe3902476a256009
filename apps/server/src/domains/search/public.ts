export type { Found, Source } from './source.ts'
