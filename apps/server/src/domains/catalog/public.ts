export { usableTemplate } from './templates.store.ts'
