package dev.idspring.neighbours.mybatisplus;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import dev.idspring.annotation.GeneratedId;

@TableName("orders")
public class Order {

	@TableId
	@GeneratedId("orders")
	private Long id;

	private String customer;

	public Long getId() {
		return this.id;
	}

	public void setId(Long id) {
		this.id = id;
	}

	public String getCustomer() {
		return this.customer;
	}

	public void setCustomer(String customer) {
		this.customer = customer;
	}

}
