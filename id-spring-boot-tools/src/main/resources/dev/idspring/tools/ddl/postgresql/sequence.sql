create sequence if not exists {sequence}
	as bigint minvalue 0 maxvalue {lastPosition} start with 0 increment by 1 cache 1 no cycle
