import { Drawer, Modal, type DrawerProps, type ModalProps } from 'antd'

/** What dialogs are drawn with, apart from them: screens load it when the first one opens. */
export const DialogBox = (p: ModalProps) => <Modal open {...p} />

export const SideBox = (p: DrawerProps) => <Drawer open size={640} {...p} />
