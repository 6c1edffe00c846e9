// The same tool as calc_server's `add`, on express, the stack of the TypeScript SDK. The sum is
// computed here, without a native call, to compare the stacks and not the bindings.
const express = require("express");

const app = express();
app.use(express.json());
app.post("/opentool/call", (request, response) => {
  const { method, params, id } = request.body;
  if (method !== "add") {
    response.json({ jsonrpc: "2.0", result: {}, error: { code: 405, message: `unknown function ${method}` }, id });
    return;
  }
  response.json({ jsonrpc: "2.0", result: { result: params.a + params.b }, error: null, id });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
