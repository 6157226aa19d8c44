module gopkg.in/validator.v2
