import { bell } from '../../kernel/bell.ts'

/** Rung when a host is to be drained. */
export const draining = bell()
