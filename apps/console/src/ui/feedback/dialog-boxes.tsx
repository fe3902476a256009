import { Drawer, Modal, type DrawerProps, type ModalProps } from 'antd'

/** The components of dialogs, in a separate file that screens load with the first dialog. */
export const DialogBox = (p: ModalProps) => <Modal open {...p} />

export const SideBox = (p: DrawerProps) => <Drawer open size={640} {...p} />
