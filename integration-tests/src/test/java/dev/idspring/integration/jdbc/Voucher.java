package dev.idspring.integration.jdbc;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.domain.Persistable;

/**
 * An entity that says itself whether it is new.
 */
class Voucher implements Persistable<Long> {

	@Id
	@GeneratedId
	private Long id;

	private final int percent;

	@Transient
	private boolean fresh;

	Voucher(int percent) {
		this.percent = percent;
	}

	static Voucher fresh(Long id, int percent) {
		Voucher voucher = new Voucher(percent);
		voucher.id = id;
		voucher.fresh = true;
		return voucher;
	}

	@Override
	public Long getId() {
		return this.id;
	}

	@Override
	public boolean isNew() {
		return this.fresh;
	}

	int percent() {
		return this.percent;
	}

}
