export { deployImage } from './services/deploy.service.ts'
export { createStack, removeStack } from './stacks/stacks.service.ts'
export { findServiceByName } from './services/services.store.ts'
export { findStack } from './stacks/stacks.store.ts'
