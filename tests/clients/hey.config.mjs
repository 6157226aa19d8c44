export default {
  input: "openapi.yaml",
  output: "api/hey",
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
};
