// Contracts as reflection hands them out: a FileDescriptorProto for each package.
const { FileDescriptorProto } = require("protobufjs/ext/descriptor");

// Files with their names and the full names of what is in them.
function descriptorsOf(definitions) {
  const [{ fileDescriptorProtos }] = Object.values(definitions).filter((each) => each.fileDescriptorProtos);
  return fileDescriptorProtos.map((bytes) => {
    const file = FileDescriptorProto.decode(bytes);
    const symbols = [...file.service, ...file.messageType, ...file.enumType].map(({ name }) => `${file.package}.${name}`);
    return { name: file.name, symbols, bytes };
  });
}

module.exports = { descriptorsOf };
