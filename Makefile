# Other names for what dev.py does.
.PHONY: install serve test lint bench openapi lock

install serve test lint bench openapi lock:
	@python3 dev.py $@ $(ARGS)
