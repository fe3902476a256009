export { historyOf } from './history.service.ts'
