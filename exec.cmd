@rem Windows has no "exec". Elsewhere it is the shell's own, and puts no shell between npm and the product, so that a signal
@rem to npm reaches the product and npm waits until it has ended.
@%*
