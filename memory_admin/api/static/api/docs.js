const docs = document.getElementById("docs");

SwaggerUIBundle({
  domNode: docs,
  url: docs.dataset.schema,
  deepLinking: true,
  tryItOutEnabled: false,
  validatorUrl: null, // the default asks a foreign host
});
