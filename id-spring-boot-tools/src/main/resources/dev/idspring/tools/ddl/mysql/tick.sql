{create} function {name}_tick() returns bigint
	not deterministic no sql comment 'milliseconds since {epoch}'
begin
	declare v_uuid varchar(36) default uuid();
	return (cast(conv(concat(substr(v_uuid, 16, 3), substr(v_uuid, 10, 4), substr(v_uuid, 1, 8)), 16, 10) as signed)
		- 122192928000000000) div 10000 - ({epochMillis});
end
