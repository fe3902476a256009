import type { en } from './en.ts'

export const zh = {
  'storage-server-format': '请输入主机名或 IP 地址，不含路径',
  'storage-path-up': '路径不能指向上级目录，请去掉“..”',
  'storage-access-pod': 'ReadWriteOncePod 不能与其他访问模式同时使用',
  'storage-host-path-admin': '主机目录上的存储卷会触及主机自身的文件，仅管理员可以创建。请联系管理员或改用 NFS',
  'storage-volume-exists': '已存在名为 {name} 的存储卷，请换一个名称',
  'storage-volume-missing': '该集群中已没有存储卷 {name}',
  'storage-volume-deleting': '存储卷 {name} 正在删除中',
  'storage-volume-changed': '存储卷 {name} 刚刚被他人修改，请重新查看',
  'storage-volume-claimed': '存储卷 {name} 正在使用，无法删除：已被 {claim} 申领，请先删除该申领',
  'storage-volume-is-pending': '存储卷 {name} 尚在等待，集群还未处理完毕，请稍后再试',
  'storage-volume-is-available': '存储卷 {name} 处于可用状态，已可被申领或删除',
  'storage-volume-is-bound': '存储卷 {name} 已绑定到 {claim}，请先删除该申领',
  'storage-volume-is-released': '存储卷 {name} 已释放，其申领 {claim} 已不存在，请激活或回收',
  'storage-volume-is-failed': '存储卷 {name} 回收失败：驱动无法删除它。请激活它，或手动删除存储卷及其中的数据',
  'storage-driver-exists': '已存在名为 {name} 的存储驱动，请换一个名称',
  'storage-driver-missing': '该集群中已没有存储驱动 {name}',
  'storage-driver-in-use': '存储驱动 {name} 下还有 {count} 个存储卷：{volumes}，请先删除',
  'storage-driver-claimed': '有 {count} 个申领使用存储驱动 {name}：{claims}，请先删除',
  'storage-driver-default-claimed':
    '存储驱动 {name} 是默认驱动，有 {count} 个申领在等待它：{claims}。请先将其他驱动设为默认，或删除这些申领',
  'storage-driver-secret-admin': '参数 {key} 会让驱动读取任意命名空间的密钥，仅管理员可以设置',
} satisfies Record<keyof typeof en, string>
