// Made by `npm run gen` from the folders beside it. Do not edit.
import type { en } from './en.gen.ts'

export type PhraseKey = keyof typeof en
