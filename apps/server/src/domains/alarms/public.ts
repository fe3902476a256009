export { receiversOf } from './channels/channels.store.ts'
export { tellReceivers } from './channels/tell.service.ts'
