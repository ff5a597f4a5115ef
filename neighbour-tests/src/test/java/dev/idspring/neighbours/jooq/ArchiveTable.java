package dev.idspring.neighbours.jooq;

import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jooq.impl.TableRecordImpl;

/**
 * Another table, with some of the column names of {@link OrdersTable}.
 */
class ArchiveTable extends TableImpl<ArchiveTable.ArchiveRecord> {

	static final ArchiveTable ARCHIVE = new ArchiveTable();

	private static final long serialVersionUID = 1L;

	final TableField<ArchiveRecord, Long> ID = createField(DSL.name("id"), SQLDataType.BIGINT, this, "");

	final TableField<ArchiveRecord, String> CODE = createField(DSL.name("code"), SQLDataType.VARCHAR(20), this, "");

	private ArchiveTable() {
		super(DSL.name("archive"));
	}

	@Override
	public Class<ArchiveRecord> getRecordType() {
		return ArchiveRecord.class;
	}

	static final class ArchiveRecord extends TableRecordImpl<ArchiveRecord> {

		private static final long serialVersionUID = 1L;

		ArchiveRecord() {
			super(ARCHIVE);
		}

	}

}
