// transformers.js names three packages that are never loaded by way of it: its native runtime is handed to it from where the
// build installs it (core/host/probe/embed/onnx-runtime.ts), the runtime for browsers is in it, and pictures are not read.
module.exports = {}
