import { randomInt } from 'node:crypto'

/** Nothing that looks like something else when it is read aloud or typed from paper. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const length = 14

/** 80 random bits. Letters and digits alone: a table that it is pasted into takes it for a text. */
export const newInitialPassword = (): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
