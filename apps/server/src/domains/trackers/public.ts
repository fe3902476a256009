export { findJira, jirasOfTeam, type StoredJira } from './connections.store.ts'
export { pageOf, trackerOf } from './tracker.ts'
