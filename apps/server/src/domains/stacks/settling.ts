import { bell } from '../../kernel/bell.ts'

/** Rung when a stack or a service has something that its cluster must be told. */
export const settling = bell()
