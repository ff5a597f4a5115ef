package dev.idspring.neighbours.jooq;

import java.math.BigDecimal;
import java.util.UUID;

import org.jooq.TableField;
import org.jooq.UniqueKey;
import org.jooq.impl.DSL;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jooq.impl.UpdatableRecordImpl;

/**
 * A shortened version of the code that jOOQ generates for a table.
 */
class OrdersTable extends TableImpl<OrdersTable.OrdersRecord> {

	static final OrdersTable ORDERS = new OrdersTable();

	private static final long serialVersionUID = 1L;

	final TableField<OrdersRecord, Long> ID = createField(DSL.name("id"), SQLDataType.BIGINT.notNull(), this, "");

	final TableField<OrdersRecord, String> CODE = createField(DSL.name("code"), SQLDataType.VARCHAR(20), this, "");

	final TableField<OrdersRecord, UUID> LINK = createField(DSL.name("link"), SQLDataType.UUID, this, "");

	final TableField<OrdersRecord, Integer> NUMBER = createField(DSL.name("number"), SQLDataType.INTEGER, this, "");

	final TableField<OrdersRecord, BigDecimal> TOTAL = createField(DSL.name("total"), SQLDataType.DECIMAL, this, "");

	final TableField<OrdersRecord, String> CUSTOMER = createField(DSL.name("customer"), SQLDataType.VARCHAR(100), this,
			"");

	private OrdersTable() {
		super(DSL.name("orders"));
	}

	@Override
	public Class<OrdersRecord> getRecordType() {
		return OrdersRecord.class;
	}

	@Override
	public UniqueKey<OrdersRecord> getPrimaryKey() {
		return Internal.createUniqueKey(this, DSL.name("primary"), this.ID);
	}

	static final class OrdersRecord extends UpdatableRecordImpl<OrdersRecord> {

		private static final long serialVersionUID = 1L;

		OrdersRecord() {
			super(ORDERS);
		}

	}

}
