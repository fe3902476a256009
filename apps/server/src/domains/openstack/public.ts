export { zoneNames } from './zones.store.ts'
