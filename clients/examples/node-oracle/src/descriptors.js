// Contracts in the form that reflection sends: a FileDescriptorProto for each package.
const { FileDescriptorProto } = require("protobufjs/ext/descriptor");

// Returns the files with their names and the full names of their services and messages.
function descriptorsOf(definitions) {
  const [{ fileDescriptorProtos }] = Object.values(definitions).filter((each) => each.fileDescriptorProtos);
  return fileDescriptorProtos.map((bytes) => {
    const file = FileDescriptorProto.decode(bytes);
    const symbols = [...file.service, ...file.messageType, ...file.enumType].map(({ name }) => `${file.package}.${name}`);
    return { name: file.name, symbols, bytes };
  });
}

module.exports = { descriptorsOf };
