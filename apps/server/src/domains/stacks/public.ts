export { deployImage } from './deploy.service.ts'
export { createStack, removeStack } from './stacks.service.ts'
export { findServiceByName } from './services.store.ts'
export { findStack } from './stacks.store.ts'
