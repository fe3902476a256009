export { dockerfilesOf, linkDockerfiles } from './dockerfiles.store.ts'
